// Few words for making and finding elements.

/** find is the element with that id, which the page has. */
export function find<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** make is a new element with a class and content. */
export function make(tag: string, className: string, ...content: (Node | string)[]): HTMLElement {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...content);
  return element;
}

/** chosen is the value of the radio button of that name that is on. */
export function chosen(name: string): string {
  return document.querySelector<HTMLInputElement>(`input[name=${name}]:checked`)?.value ?? "";
}

/** count is a number with its thousands set apart. */
export const count = (n: number) => n.toLocaleString("en");

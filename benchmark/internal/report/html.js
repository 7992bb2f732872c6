// Makes the heads of tables buttons that sort: the best first, then the worst,
// then the order in which the table came.
"use strict";
(() => {
  const said = document.getElementById("said");
  const opposite = { ascending: "descending", descending: "ascending" };

  for (const table of document.querySelectorAll("table.sortable")) {
    const body = table.tBodies[0];
    const original = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const order = next(head);
        heads.forEach((h) => h.removeAttribute("aria-sort"));
        if (order) head.setAttribute("aria-sort", order);
        body.append(...(order ? sorted(original, column, order) : original));
        said.textContent = order ? `Sorted by ${button.textContent}, ${order}` : "In the original order";
      });
    });
  }

  // What can be scrolled to the right fades out there.
  const shade = (box) => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
  const boxes = [...document.querySelectorAll(".scroll")];
  const shadeAll = () => boxes.forEach(shade);
  boxes.forEach((box) => box.addEventListener("scroll", () => shade(box), { passive: true }));
  addEventListener("resize", shadeAll);
  shadeAll();

  // next is the order after the present one: null is that of the report.
  function next(head) {
    const first = head.dataset.first;
    const now = head.getAttribute("aria-sort");
    if (!now) return first;
    return now === first ? opposite[first] : null;
  }

  // figure is the first number of a cell, or NaN.
  const figure = (cell) => parseFloat(cell.textContent.replace(/[,~ +]/g, "").replace("−", "-"));

  // sorted keeps cells without a figure last, whatever the order.
  function sorted(rows, column, order) {
    const sign = order === "ascending" ? 1 : -1;
    return [...rows].sort((a, b) => {
      const [x, y] = [a.cells[column], b.cells[column]];
      if (x.matches("th, .name")) return sign * x.textContent.localeCompare(y.textContent, "en", { numeric: true });
      const [first, second] = [figure(x), figure(y)];
      if (isNaN(first) || isNaN(second)) return isNaN(first) - isNaN(second);
      return sign * (first - second);
    });
  }
})();

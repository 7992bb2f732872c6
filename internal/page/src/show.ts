// Draws an exchange: headers, and bodies in hex with what each piece says.
import { count, make } from "./dom";
import { hex, type Piece, piecesOf } from "./pieces";
import type { Exchange, Half } from "./tap";

const mostPieces = 9;
const mostBytes = 96; // of a piece

/** exchangeView is both sides of a call. */
export function exchangeView(exchange: Exchange): HTMLElement {
  return make("div", "exchange",
    halfView(`Request: POST ${exchange.path}`, exchange.request, piecesOf(exchange, "request")),
    halfView(`Response: status ${exchange.response.status || "none yet"}`, exchange.response, piecesOf(exchange, "response")));
}

function halfView(title: string, half: Half, pieces: Piece[]): HTMLElement {
  const view = make("section", "half", make("h3", "", title), headersView(half.headers));
  view.append(make("p", "size", `Body: ${count(half.size)} bytes`));
  const list = make("ol", "pieces", ...pieces.slice(0, mostPieces).map(pieceView));
  view.append(list);
  if (pieces.length > mostPieces) view.append(make("p", "size", "… and more like these"));
  return view;
}

/** aside are headers that say nothing of the call. */
const aside = /^(access-control-.*|alt-svc|date|vary)$/;

/** headersView has the headers that a script may see; the browser sends some of its own. */
function headersView(headers: [string, string][]): HTMLElement {
  const list = make("dl", "headers");
  for (const [name, value] of headers) {
    if (!aside.test(name)) list.append(make("dt", "", name), make("dd", "", value));
  }
  return list;
}

const kinds = { envelope: "envelope", message: "message", end: "end of stream" };

function pieceView(piece: Piece): HTMLElement {
  const more = piece.bytes.length - mostBytes;
  const bytes = hex(piece.bytes.subarray(0, mostBytes)) + (more > 0 ? ` … ${count(more)} more` : "");
  return make("li", piece.kind,
    make("span", "kind", kinds[piece.kind]),
    make("code", "hex", bytes || "no bytes"),
    make("span", "text", shorten(piece.text)));
}

const shorten = (text: string) => (text.length > 240 ? `${text.slice(0, 240)} … ${count(text.length - 240)} more` : text);

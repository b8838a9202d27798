import type { PictureEdge } from "../engine/engine.js";
import { showsShapes } from "./detail.js";
import type { EdgeMark, Marks } from "./marks.js";
import type { Pen } from "./pen.js";
import type { Scene } from "./scene.js";

const kPathEdges = 64; // edges of one path: longer ones take longer to fill
const kThinnest = 0.6; // CSS pixels
const kCorner = 6; // CSS pixels at zoom 1, the radius of an edge's turns
const kHead = { length: 6, half: 3.5 }; // CSS pixels at zoom 1
const kShaft = 4; // of the head's length, where the line ends

/** Draws the edges in view. `blockOf`: the closed look of a group that hides a box, by the box's id. */
export function paintEdges(pen: Pen, scene: Scene, marks: Marks, blockOf: ReadonlyMap<number, number>): void {
  const looks = new Map<string, PictureEdge[]>();
  for (const i of scene.edgesIn(pen.part)) {
    const edge = scene.layout.edges[i]!;
    const block = blockOf.get(edge.from);
    if (block !== undefined && block === blockOf.get(edge.to)) continue;
    const classes = classesOf(edge, marks.ofEdge(i));
    const edges = looks.get(classes);
    if (edges) edges.push(edge);
    else looks.set(classes, [edge]);
  }
  for (const classes of [...looks.keys()].sort(byWidth(pen))) paintAll(pen, classes, looks.get(classes)!);
  pen.rest();
}

function classesOf({ control }: PictureEdge, marks: readonly EdgeMark[]): string {
  const plain = control ? "e control" : "e";
  return marks.length === 0 ? plain : `${plain} ${marks.join(" ")}`;
}

// Wide lines are over thin ones.
const byWidth = (pen: Pen) => (a: string, b: string) =>
  pen.looks.of(a).opacity - pen.looks.of(b).opacity || pen.looks.of(a).width - pen.looks.of(b).width;

function paintAll(pen: Pen, classes: string, edges: readonly PictureEdge[]): void {
  const { context } = pen;
  const look = pen.looks.of(classes);
  const hasShapes = showsShapes(pen.scale);
  const add = hasShapes ? addCurve : addLine;
  const width = pen.thickness(look.width, kThinnest);
  context.globalAlpha = look.opacity;
  pen.stroke(hasShapes ? look : { ...look, dash: [] }, width);
  context.fillStyle = look.line;
  for (let i = 0; i < edges.length; i += kPathEdges) {
    const some = edges.slice(i, i + kPathEdges);
    context.beginPath();
    const half = Math.round(width) % 2 === 1 ? 0.5 : 0;
    for (const { points } of some) add(pen, points, half);
    context.stroke();
    if (!hasShapes) continue;
    context.beginPath();
    for (const { points } of some) addHead(pen, points);
    context.fill();
  }
}

// `half`: lines of odd widths run through the middle of pixels.
function addLine(pen: Pen, points: readonly number[], half: number): void {
  const { context } = pen;
  context.moveTo(pen.column(points[0]!) + half, pen.row(points[1]!) + half);
  for (let i = 2; i < points.length; i += 2)
    context.lineTo(pen.column(points[i]!) + half, pen.row(points[i + 1]!) + half);
}

// With rounded corners, up to the head.
function addCurve(pen: Pen, points: readonly number[], half: number): void {
  const { context } = pen;
  const last = points.length - 2;
  const [dx, dy] = direction(points);
  const x = (i: number) => pen.column(points[i]! - (i === last ? kShaft * dx : 0)) + half;
  const y = (i: number) => pen.row(points[i + 1]! - (i === last ? kShaft * dy : 0)) + half;
  const by = pen.scale * pen.ratio;
  context.moveTo(x(0), y(0));
  for (let i = 2; i < last; i += 2)
    context.arcTo(x(i), y(i), x(i + 2), y(i + 2), Math.min(kCorner, room(points, i)) * by);
  context.lineTo(x(last), y(last));
}

// Half of the shorter line at a corner.
function room(points: readonly number[], i: number): number {
  const far = (a: number, b: number) => Math.abs(points[a]! - points[b]!) + Math.abs(points[a + 1]! - points[b + 1]!);
  return Math.min(far(i, i - 2), far(i, i + 2)) / 2;
}

function addHead(pen: Pen, points: readonly number[]): void {
  const { context, ratio, scale } = pen;
  const [x, y] = [pen.column(points.at(-2)!), pen.row(points.at(-1)!)];
  const [dx, dy] = direction(points);
  const [length, half] = [kHead.length * scale * ratio, kHead.half * scale * ratio];
  context.moveTo(x, y);
  context.lineTo(x - dx * length + dy * half, y - dy * length + dx * half);
  context.lineTo(x - dx * length - dy * half, y - dy * length - dx * half);
  context.closePath();
}

// Returns the direction of the last line of an edge.
function direction(points: readonly number[]): [number, number] {
  const dx = points.at(-2)! - points.at(-4)!;
  const dy = points.at(-1)! - points.at(-3)!;
  return Math.abs(dx) > Math.abs(dy) ? [Math.sign(dx), 0] : [0, dy < 0 ? -1 : 1];
}

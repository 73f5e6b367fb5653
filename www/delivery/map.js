import { drawn } from "../dom/index.js";
import { middleOf, polygonsOf, projectionOf } from "../model/index.js";
import { coordinate, money, nameOf, t, zoneName } from "../page/index.js";

const STEP = 0.0005; // degrees: about 55 metres
const LONG_STEP = 0.005;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const PIN = "M0 0C-4-9-13-15-13-25a13 13 0 1 1 26 0C13-15 4-9 0 0z";

/**
 * @typedef {import("../model/shop.js").Branch} Branch
 * @typedef {import("../model/shop.js").Zone} Zone
 *
 * Draws the delivery zones from their GeoJSON, the branches, and a pin. The visitor drags the pin or moves it with the
 * arrow keys.
 * @param {SVGSVGElement} svg
 * @param {import("../model/shop.js").Shop} shop
 * @param {(place: {lat: number, lon: number}) => void} onMove
 */
export function createMap(svg, { zones, branches }, onMove) {
  let state; // { branch, lat, lon, zone } of the last show()
  let size = { width: 0, height: 0 }; // read by the observer only: at another time that lays out the page at once
  let view; // size and projection of the drawing
  let grip; // distance between the pointer and the pin's point, in pixels
  const ground = drawn("g", {});
  const pin = drawn(
    "g",
    { class: "pin", tabindex: "0", role: "slider", keydown: onKey, pointerdown: onGrab, pointermove: onDrag },
    drawn("circle", { class: "pin-reach", cy: "-14", r: "26" }),
    drawn("ellipse", { class: "pin-shadow", rx: "7", ry: "2.5" }),
    drawn("path", { class: "pin-shape", d: PIN }),
    drawn("circle", { class: "pin-hole", cy: "-25", r: "4.5" }),
  );
  svg.append(ground, pin);
  svg.addEventListener("click", onClick);
  new ResizeObserver(() => {
    size = { width: svg.clientWidth, height: svg.clientHeight };
    if (state) draw();
  }).observe(svg);

  /** @param {{ branch: Branch, lat: number, lon: number, zone?: Zone | null }} next `zone`: the highlighted one */
  function show(next) {
    const isElsewhere = state?.branch !== next.branch;
    state = next;
    if (isElsewhere) view = undefined;
    draw();
  }

  function draw() {
    const { width, height } = size;
    if (width === 0) return;
    if (view?.width !== width || view?.height !== height) frame(width, height);
    ground.replaceChildren(
      scaleBar(),
      ...zonesInOrder().map(zoneShape),
      ...branches.map(branchMark),
      ...ownZones()
        .filter((feature) => feature !== state.zone)
        .flatMap(feeLabels),
    );
    const [x, y] = view.toPixels([state.lon, state.lat]);
    pin.setAttribute("transform", `translate(${inside(x, width)} ${inside(y, height)})`);
    describePin();
  }

  /** Fits the branch's zones and the pin into the drawing. */
  function frame(width, height) {
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const outlines = ownZones().flatMap((feature) => polygonsOf(feature).flatMap(([ring]) => ring));
    const { lat, lon } = state.branch;
    view = { width, height, ...projectionOf([...outlines, [lon, lat]], { width, height }) };
  }

  const isOwn = ({ properties }) => properties.brcode === state.branch.brcode;
  const ownZones = () => zones.features.filter(isOwn);

  /** Draws the highlighted zone last, over its neighbours' edges. */
  function zonesInOrder() {
    const rank = (feature) => Number(isOwn(feature)) + Number(feature === state.zone);
    return zones.features.toSorted((left, right) => rank(left) - rank(right));
  }

  function zoneShape(feature) {
    const kind = feature === state.zone ? "zone is-lit" : isOwn(feature) ? "zone is-own" : "zone";
    const ring = (positions) => `M${positions.map((position) => view.toPixels(position).map(Math.round).join(" ")).join("L")}Z`;
    return drawn("path", { class: kind, d: polygonsOf(feature).flat().map(ring).join(""), "fill-rule": "evenodd" });
  }

  function feeLabels(feature) {
    return polygonsOf(feature).map((polygon) => {
      const [x, y] = view.toPixels(middleOf(polygon));
      return drawn("text", { class: "zone-fee", x, y }, money(feature.properties.deliveryFee));
    });
  }

  function branchMark(branch) {
    const [x, y] = view.toPixels([branch.lon, branch.lat]);
    const kind = branch === state.branch ? "branch is-own" : "branch";
    return drawn(
      "g",
      { class: kind, transform: `translate(${x} ${y})` },
      drawn("rect", { x: "-7", y: "-7", width: "14", height: "14", rx: "4" }),
      drawn("text", { x: "12", y: "4" }, nameOf(branch)),
    );
  }

  function scaleBar() {
    const kilometres = [1, 2, 5, 10].find((length) => length * view.pixelsPerKilometre > 48) ?? 20;
    const right = view.width - 16;
    const left = right - kilometres * view.pixelsPerKilometre;
    const y = view.height - 14;
    return drawn(
      "g",
      { class: "scale" },
      drawn("path", { d: `M${left} ${y - 5}v5H${right}v-5` }),
      drawn("text", { x: (left + right) / 2, y: y - 6 }, t("map.kilometres", { kilometres })),
    );
  }

  function describePin() {
    const { lat, lon, zone } = state;
    const [west] = view.toPosition([0, 0]);
    const [east] = view.toPosition([view.width, 0]);
    pin.setAttribute("aria-label", t("map.pin"));
    pin.setAttribute("aria-valuemin", String(Math.min(west, lon)));
    pin.setAttribute("aria-valuemax", String(Math.max(east, lon)));
    pin.setAttribute("aria-valuenow", String(lon));
    pin.setAttribute("aria-valuetext", `${placeText(zone)}, ${coordinate(lat)}, ${coordinate(lon)}`);
  }

  // Moving the pin

  function onGrab(event) {
    const [x, y] = view.toPixels([state.lon, state.lat]);
    grip = { x: event.clientX - x, y: event.clientY - y }; // held by its head: a finger must not hide the pin's point
    pin.setPointerCapture(event.pointerId);
    event.preventDefault();
    pin.focus();
  }

  function onDrag(event) {
    if (pin.hasPointerCapture(event.pointerId)) put(event.clientX - grip.x, event.clientY - grip.y);
  }

  function onClick({ target, clientX, clientY }) {
    const { left, top } = svg.getBoundingClientRect();
    if (!pin.contains(target)) put(clientX - left, clientY - top);
  }

  function onKey(event) {
    const direction = KEYS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const step = event.shiftKey ? LONG_STEP : STEP;
    moveTo([state.lon + direction[0] * step, state.lat + direction[1] * step]);
  }

  function put(x, y) {
    moveTo(view.toPosition([inside(x, view.width), inside(y, view.height)]));
  }

  function moveTo([lon, lat]) {
    onMove({ lat: rounded(lat), lon: rounded(lon) });
  }

  return { show };
}

/**
 * Where a point lies.
 * @param {Zone | null | undefined} zone null outside all zones, undefined as long as it is not known
 */
export function placeText(zone) {
  if (!zone) return zone === null ? t("map.outside") : "…";
  return t("map.inZone", { zone: zoneName(zone), fee: money(zone.properties.deliveryFee) });
}

/** Rounds to about a metre. */
const rounded = (degrees) => Math.round(degrees * 1e5) / 1e5;
const inside = (pixels, size) => Math.min(Math.max(pixels, 0), size);

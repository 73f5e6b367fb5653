const MARGIN = 28;

/**
 * Projects longitude and latitude to pixels, so that the positions fill the drawing. True to scale, because a city is
 * small enough.
 * @param {[number, number][]} positions lon, lat
 * @param {{width: number, height: number}} size
 */
export function projectionOf(positions, { width, height }) {
  const lons = positions.map(([lon]) => lon);
  const lats = positions.map(([, lat]) => lat);
  const [west, east, south, north] = [Math.min(...lons), Math.max(...lons), Math.min(...lats), Math.max(...lats)];
  const squeeze = Math.cos((((south + north) / 2) * Math.PI) / 180);
  const scale = Math.min((width - 2 * MARGIN) / ((east - west) * squeeze), (height - 2 * MARGIN) / (north - south));
  const left = (width - (east - west) * squeeze * scale) / 2;
  const top = (height - (north - south) * scale) / 2;
  return {
    toPixels: ([lon, lat]) => [left + (lon - west) * squeeze * scale, top + (north - lat) * scale],
    toPosition: ([x, y]) => [west + (x - left) / (squeeze * scale), north - (y - top) / scale],
    pixelsPerKilometre: scale / 111.2,
  };
}

/** The polygons of a zone. Each is a list of rings, the outer ring first. */
export const polygonsOf = ({ geometry }) => (geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates);

/** The position of a polygon's label: its centroid. */
export function middleOf([ring]) {
  let [area, x, y] = [0, 0, 0];
  for (let i = 1; i < ring.length; i += 1) {
    const [[x0, y0], [x1, y1]] = [ring[i - 1], ring[i]];
    const cross = x0 * y1 - x1 * y0;
    area += cross;
    x += (x0 + x1) * cross;
    y += (y0 + y1) * cross;
  }
  return [x / (3 * area), y / (3 * area)];
}

/** A count with its noun: `1 record`, `100,000 records`. */
export const count = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : noun.endsWith("h") ? "es" : "s"}`;

/** `1.4 MB` */
export const megabytes = (bytes) => `${(bytes / 1e6).toLocaleString("en", { maximumFractionDigits: 1 })} MB`;

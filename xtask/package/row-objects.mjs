// The function that makes rows of numbers, made of what xtask-reference prints. V8 is fastest with a literal of all keys.

/** The numbers of a kind of field, as src/json/table.rs gives them. */
const READERS = {
  string: "string(numbers[at++], numbers[at++])",
  flag: "numbers[at++] === 1",
};

export function rowObjects({ Product }) {
  const kinds = new Map([...Product.read, ...Product.added].map(({ key, kind }) => [key, kind]));
  const members = Product.response.map((key) => {
    const kind = kinds.get(key);
    // D4: the order's own.
    return kind === undefined ? key : `${key}: ${READERS[kind] ?? "numbers[at++]"}`;
  });
  return `export function rowObjects(numbers, branchId, string) {
  const rows = [];
  let at = 0;
  while (at < numbers.length) rows.push({ ${members.join(", ")} });
  return rows;
}
`;
}

// What is aimed at, and what was reached. `lower` and `higher` say which direction is better; `atLeast` and `aim` have the
// unit of `got`.

export const lower = (measure, atLeast, aim, figures, unit = "") => judge({ measure, unit, atLeast, aim, ...figures }, 1);
export const higher = (measure, atLeast, aim, figures, unit = "") => judge({ measure, unit, atLeast, aim, ...figures }, -1);

/** Without a measurement there is no verdict. */
function judge(row, direction) {
  if (row.got === undefined) return { ...row, verdict: "–" };
  const reaches = (limit) => direction * row.got <= direction * limit;
  return { ...row, verdict: reaches(row.aim) ? "aim" : reaches(row.atLeast) ? "at least" : "short" };
}

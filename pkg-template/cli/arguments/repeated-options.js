/**
 * Refuses an option that was typed twice, which would count as it was typed last. One that takes several values has `...` or
 * a list as its default.
 * @param {import("commander").Command} command
 */
export function refuseRepeated(command) {
  const seen = new Map();
  for (const option of command.options.filter(({ variadic, defaultValue }) => !variadic && !Array.isArray(defaultValue))) {
    const name = option.attributeName();
    command.on(`option:${option.name()}`, () => {
      const other = seen.get(name);
      if (other === option.long) command.error(`error: ${other}: expected it once`);
      if (other !== undefined) command.error(`error: expected ${other} or ${option.long}, got both`);
      seen.set(name, option.long);
    });
  }
}

// What npm does to a command line.

/**
 * npm takes options before `--` for its own, and drops them: `npm run data rollback --remote` would act on this machine.
 * @param {readonly import("commander").Option[]} options
 * @param {Record<string, string | undefined>} env
 * @returns {string | undefined} the option that it dropped
 */
export function swallowedByNpm(options, env) {
  /** @param {import("commander").Option} option */
  const isDropped = ({ long = "" }) => env[`npm_config_${long.slice(2).replaceAll("-", "_")}`] !== undefined;
  return options.find(isDropped)?.long;
}

/**
 * npm changes the folder; file names are meant from where the command was typed.
 * @param {string} script
 */
export function goWhereNpmWasCalled(script) {
  if (process.env.npm_lifecycle_event === script && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
}

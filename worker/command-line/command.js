import { Command } from "commander";

/**
 * A command whose errors begin with its name. It throws where commander would end the process.
 * @param {string} name
 * @param {string} help what `--help` says after the options
 * @param {import("./surroundings.js").Surroundings} surroundings
 */
export const commandOf = (name, help, { stdout, stderr }) =>
  new Command(name)
    .helpOption("-h, --help", "print help")
    .showHelpAfterError("(--help says more)")
    .addHelpText("after", help)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, `${name}: `)),
    })
    .exitOverride();

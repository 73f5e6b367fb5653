// Scripts that complete the command line in a shell, made of commander's own tree.

const SCRIPTS = { bash, zsh, fish };

export const SHELLS = Object.keys(SCRIPTS);

/**
 * The script of a shell.
 * @param {import("commander").Command} program
 * @param {string} shell
 */
export function completion(program, shell) {
  const global = program.options.filter(({ long }) => long === "--no-color");
  return SCRIPTS[shell](
    treeOf(program),
    program.commands.map((command) => treeOf(command, global)),
  );
}

/**
 * @param {import("commander").Command} command
 * @param {readonly import("commander").Option[]} [global]
 */
function treeOf(command, global = []) {
  return {
    name: command.name(),
    what: command.description(),
    options: [...command.createHelp().visibleOptions(command), ...global].map(optionOf),
    words: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
}

/**
 * @typedef {{ value?: string, words?: readonly string[], isFile: boolean }} Value
 * @typedef {Value & { short?: string, long: string, what: string }} Flag
 *
 * @param {import("commander").Option} option
 * @returns {Flag}
 */
function optionOf({ short, long, flags, description, argChoices }) {
  const [, value] = /[<[](\w+)/.exec(flags) ?? [];
  const isFile = ["file", "folder", "place"].includes(value);
  // All of ours have a long name.
  return { short, long: /** @type {string} */ (long), value, what: description, words: argChoices, isFile };
}

/** Where it has no words, bash completes file names: by `-o default`, because macOS's bash has no `compopt`. */
function bash(program, commands) {
  const from = (words) => `COMPREPLY=($(compgen -W '${words.join(" ")}' -- "$cur"))`;
  const flags = ({ options }) => from(options.flatMap(({ short, long }) => [short ?? [], long].flat()));
  const values = ({ name, options }) =>
    options.filter(({ words }) => words).map(({ long, words }) => `    ${name}:${long}) ${from(words)}; return ;;`);
  const argument = ({ name, words }) => (words.length > 0 ? [`    ${name}:*) ${from(words)} ;;`] : []);
  const names = commands.map(({ name }) => name);
  return `# Completes order-cost in bash.
_order_cost() {
  local cur=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command= word
  # Bash splits --format=json in three.
  if [[ $before == = ]]; then before=\${COMP_WORDS[COMP_CWORD-2]}; elif [[ $cur == = ]]; then cur=; fi
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in ${names.join("|")}) command=$word; break ;; esac
  done
  COMPREPLY=()
  case $command:$before in
${commands.flatMap(values).join("\n")}
  esac
  case $command:$cur in
${commands.map((command) => `    ${command.name}:-*) ${flags(command)} ;;`).join("\n")}
${commands.flatMap(argument).join("\n")}
    :-*) ${flags(program)} ;;
    :*) ${from(names)} ;;
  esac
}
complete -o default -F _order_cost order-cost
`;
}

function zsh(program, commands) {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const told = (text) => text.replace(/[[\]:\\]/g, "\\$&");
  /** @param {Value} option */
  const valueOf = ({ value, words, isFile }) => (value ? `:${value}:${words ? `(${words.join(" ")})` : isFile ? "_files" : ""}` : "");
  /** @param {Flag} flag */
  const spec = ({ short, long, what, ...option }) => {
    const [shortly, longly] = option.value ? [`${short}+`, `${long}=`] : [short, long]; // the value may follow at once
    const names = short ? `'(${short} ${long})'{${shortly},${longly}}` : longly;
    return `${names}${quoted(`[${told(what)}]${valueOf(option)}`)}`;
  };
  const argument = ({ words }) => quoted(words.length > 0 ? `1:argument:(${words.join(" ")})` : "*:file:_files");
  const specs = (command, ...more) => [...command.options.map(spec), ...more].join(" \\\n            ");
  return `#compdef order-cost
# Completes order-cost in zsh.
_order_cost() {
  local state line
  local -a commands=(
    ${commands.map(({ name, what }) => quoted(`${name}:${told(what)}`)).join("\n    ")}
  )
  _arguments -C ${specs(program, "'1:command:->command'", "'*::argument:->argument'")}
  case $state in
    command) _describe command commands ;;
    argument)
      case $line[1] in
${commands.map((command) => `        ${command.name}) _arguments ${specs(command, argument(command))} ;;`).join("\n")}
      esac ;;
  esac
}
if [[ $funcstack[1] == _order-cost ]]; then _order_cost "$@"; else compdef _order_cost order-cost; fi
`;
}

function fish(program, commands) {
  const quoted = (text) => `'${text.replace(/[\\']/g, "\\$&")}'`;
  const line = (when, rest) => `complete -c order-cost -n ${quoted(when)} ${rest}`;
  /** @param {Value} option */
  const valueOf = ({ value, words, isFile }) => (words ? `-x -a ${quoted(words.join(" "))} ` : isFile ? "-r -F " : value ? "-x " : "");
  /** @param {Flag} flag */
  const flag = ({ short, long, what, ...option }) =>
    `${short ? `-s ${short.slice(1)} ` : ""}-l ${long.slice(2)} ${valueOf(option)}-d ${quoted(what)}`;
  const inside = ({ name, options, words }) =>
    [...options.map(flag), words.length > 0 ? `-a ${quoted(words.join(" "))}` : "-F"].map((rest) =>
      line(`__fish_seen_subcommand_from ${name}`, rest),
    );
  const first = [...program.options.map(flag), ...commands.map(({ name, what }) => `-a ${name} -d ${quoted(what)}`)];
  const lines = [...first.map((rest) => line("__fish_use_subcommand", rest)), ...commands.flatMap(inside)];
  return ["# Completes order-cost in fish.", "complete -c order-cost -f", ...lines, ""].join("\n");
}

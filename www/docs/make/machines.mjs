// For programs: each page as Markdown at its own address with `.md`, and llms.txt (https://llmstxt.org), the list of them.
const ORDER = ["tutorials", "guides", "service", "reference", "explanation", "project", "th"];

/** @returns {[place: string, text: string][]} */
export function forMachines(pages) {
  const listed = pages
    .filter(({ place }) => place !== "index.md")
    .toSorted((one, other) => rank(one) - rank(other) || one.place.localeCompare(other.place));
  const list = listed.map(({ place, text }) => {
    const { title = heading(text), description } = matter(text);
    return `- [${title}](${place})${description ? `: ${description}` : ""}`;
  });
  const home = matter(pages.find(({ place }) => place === "index.md").text);
  return [
    ...pages.map(({ place, text }) => [`public/${place}`, `${plain(text).trimStart()}`]),
    ["public/llms.txt", `# order-cost\n\n> ${home.description}\n\n## Pages\n\n${list.join("\n")}\n`],
    ["public/llms-full.txt", listed.map(({ text }) => plain(text)).join("\n")],
  ];
}

const FRONT = /^---\n([\s\S]*?)\n---\n/;

function matter(text) {
  const lines = text.match(FRONT)?.[1].split("\n") ?? [];
  return Object.fromEntries(
    lines
      .map((line) => line.match(/^(\w+): (.*)$/))
      .filter(Boolean)
      .map(([, key, value]) => [key, value]),
  );
}

const plain = (text) => text.replace(FRONT, "");
const heading = (text) => text.match(/^# (.*)$/m)?.[1];
const rank = ({ place }) => ORDER.indexOf(place.split("/")[0]);

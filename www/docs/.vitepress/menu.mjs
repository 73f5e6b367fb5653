// The menu, in the sequence in which somebody meets the pages. A page's own title stands there.
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../make/index.mjs";

const page = (text, link) => ({ text, link });
const group = (text, items) => ({ text, items });

/** The pages of a folder. */
const pages = (folder, ...names) => names.map((name) => page(titleOf(`${folder}/${name || "index"}`), `/${folder}/${name}`));

function titleOf(place) {
  const [, title] = readFileSync(path.join(ROOT, "www/docs", `${place}.md`), "utf8").match(/^title: (.*)$/m);
  return title;
}

const START = group("Start", [...pages("tutorials", "basket", "basket-vue", "basket-svelte", "service"), page("Playground", "/play")]);
const GUIDES = group(
  "In an application",
  pages(
    "guides",
    "basket",
    "host",
    "errors",
    "explain",
    "slots",
    "forms",
    "now",
    "testing",
    "catalogue",
    "receipts",
    "edge",
    "captures",
    "year",
    "loading",
  ),
);
const SERVICE = group(
  "As a service",
  pages("service", "deploy", "configuration", "data", "decision-log", "receipts", "migrate", "runbook"),
);
const REFERENCE = group("Reference", [
  ...pages("reference", "errors", "options"),
  page("HTTP", "/reference/http"),
  ...pages("reference", "command-line", "variables", "log"),
  page("The package", "/reference/package/"),
]);
const EXPLANATION = group("Explanation", pages("explanation", "money", "questions", "proof"));

const ENTRIES = ["calculate", "catalogue", "compare", "data", "http", "messages", "react", "receipt", "testing", "vue", "wasm", "worker"];

const PACKAGE = group("The package", [
  page("order-cost", "/reference/package/"),
  ...ENTRIES.map((entry) => page(`order-cost/${entry}`, `/reference/package/${entry}`)),
]);

const capitalised = (name) => `${name[0]}${name.slice(1).toLowerCase()}`;

/** What a wrong address answers. */
export const notFound = {
  title: "No such page",
  quote: "There is no page at this address. It may have moved: search for it, or begin at the first page.",
  linkText: "To the first page",
  linkLabel: "To the first page",
};

/** The English pages. `documents`: those of the repository. */
export function english(documents) {
  const project = group(
    "The project",
    documents.map((name) => page(capitalised(name), `/project/${name.toLowerCase()}`)),
  );
  const all = [START, GUIDES, SERVICE, REFERENCE, EXPLANATION, project];
  return {
    nav: [page("Tutorial", "/tutorials/basket"), page("Playground", "/play"), page("Reference", "/reference/package/")],
    // The entries of the package stand in the menu only beside their own pages.
    sidebar: { "/": all, "/reference/package/": [PACKAGE, ...all] },
    notFound,
  };
}

const SEARCH = "ค้นหา";

/** The Thai pages, and the words of the theme in Thai. */
export const thai = {
  theme: {
    nav: [page("ตะกร้าสินค้า", "/th/basket"), page("ข้อความ", "/th/messages")],
    sidebar: [group("สำหรับหน้าร้าน", pages("th", "", "basket", "messages"))],
    outline: { label: "ในหน้านี้", level: [2, 3] },
    docFooter: { prev: "ก่อนหน้า", next: "ถัดไป" },
    notFound: {
      title: "ไม่พบหน้านี้",
      quote: "ไม่มีหน้าที่อยู่นี้ หน้าอาจย้ายไปแล้ว ลองค้นหา หรือเริ่มจากหน้าแรก",
      linkText: "ไปหน้าแรก",
      linkLabel: "ไปหน้าแรก",
    },
    darkModeSwitchLabel: "โหมดสี",
    lightModeSwitchTitle: "เปลี่ยนเป็นโหมดสว่าง",
    darkModeSwitchTitle: "เปลี่ยนเป็นโหมดมืด",
    sidebarMenuLabel: "เมนู",
    returnToTopLabel: "กลับขึ้นด้านบน",
    langMenuLabel: "เปลี่ยนภาษา",
    skipToContentLabel: "ข้ามไปยังเนื้อหา",
  },
  search: {
    locales: {
      th: {
        translations: {
          button: { buttonText: SEARCH, buttonAriaLabel: SEARCH },
          modal: {
            displayDetails: "แสดงรายละเอียด",
            resetButtonTitle: "ล้างคำค้น",
            backButtonTitle: "ปิดการค้นหา",
            noResultsText: "ไม่พบผลลัพธ์สำหรับ",
            footer: { selectText: "เลือก", navigateText: "เลื่อน", closeText: "ปิด" },
          },
        },
      },
    },
  },
};

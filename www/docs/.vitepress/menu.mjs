// The menu, in the sequence in which somebody meets the pages.
const page = (text, link) => ({ text, link });
const group = (text, items) => ({ text, items });

const TUTORIALS = group("Start", [
  page("A basket in React", "/tutorials/basket"),
  page("A service on your machine", "/tutorials/service"),
  page("Playground", "/play"),
]);

const GUIDES = group("In an application", [
  page("The live basket", "/guides/basket"),
  page("The host's functions", "/guides/host"),
  page("Errors and messages", "/guides/errors"),
  page("Explaining a total", "/guides/explain"),
  page("Delivery slots", "/guides/slots"),
  page("Forms", "/guides/forms"),
  page("Testing your shop", "/guides/testing"),
  page("A catalogue of prices", "/guides/catalogue"),
  page("Receipts", "/guides/receipts"),
  page("Your own Worker or server", "/guides/edge"),
  page("Captured orders", "/guides/captures"),
  page("Loading", "/guides/loading"),
]);

const SERVICE = group("As a service", [
  page("Deploying", "/service/deploy"),
  page("Configuration", "/service/configuration"),
  page("Prices and zones", "/service/data"),
  page("The decision log", "/service/decision-log"),
  page("Receipts", "/service/receipts"),
  page("Moving from an old service", "/service/migrate"),
  page("Runbook", "/service/runbook"),
]);

const ENTRIES = ["calculate", "catalogue", "compare", "data", "http", "messages", "react", "receipt", "testing", "vue", "wasm", "worker"];

const REFERENCE = group("Reference", [
  page("Errors", "/reference/errors"),
  page("Options", "/reference/options"),
  page("HTTP", "/reference/http"),
  page("Command line", "/reference/command-line"),
  page("Variables", "/reference/variables"),
  page("The log", "/reference/log"),
  page("The package", "/reference/package/"),
]);

const PACKAGE = group("The package", [
  page("order-cost", "/reference/package/"),
  ...ENTRIES.map((entry) => page(`order-cost/${entry}`, `/reference/package/${entry}`)),
]);

const EXPLANATION = group("Explanation", [
  page("How money is exact", "/explanation/money"),
  page("Why questions go out", "/explanation/questions"),
  page("How a price is proved", "/explanation/proof"),
]);

const capitalised = (name) => `${name[0]}${name.slice(1).toLowerCase()}`;

/** The English pages. `documents`: those of the repository. */
export function english(documents) {
  const project = group("The project", documents.map((name) => page(capitalised(name), `/project/${name.toLowerCase()}`)));
  const all = [TUTORIALS, GUIDES, SERVICE, REFERENCE, EXPLANATION, project];
  return {
    nav: [page("Tutorial", "/tutorials/basket"), page("Playground", "/play"), page("Reference", "/reference/package/")],
    // The entries of the package stand in the menu only beside their own pages.
    sidebar: { "/": all, "/reference/package/": [PACKAGE, ...all] },
  };
}

const THAI = "ค้นหา";

/** The Thai pages, and the words of the theme in Thai. */
export const thai = {
  theme: {
    nav: [page("ตะกร้าสินค้า", "/th/basket"), page("ข้อความ", "/th/messages")],
    sidebar: [group("สำหรับหน้าร้าน", [page("เริ่มต้น", "/th/"), page("ตะกร้าสินค้า", "/th/basket"), page("ข้อความถึงลูกค้า", "/th/messages")])],
    outline: { label: "ในหน้านี้", level: [2, 3] },
    docFooter: { prev: "ก่อนหน้า", next: "ถัดไป" },
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
          button: { buttonText: THAI, buttonAriaLabel: THAI },
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

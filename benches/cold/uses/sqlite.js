import sqlite3InitModule from "@sqlite.org/sqlite-wasm";
import { firstQuery } from "../first-use.js";

export default async () => firstQuery(await sqlite3InitModule());

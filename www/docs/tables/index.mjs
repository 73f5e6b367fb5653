export const TABLES = {};

export const impactTable = (report) => JSON.stringify(report, null, 1);

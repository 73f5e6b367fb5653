export const impactPage = (report) => "";

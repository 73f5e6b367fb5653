import process from "node:process";

const { priced } = await import(process.argv[2]);
process.stdout.write(await priced);

export * from "order-cost";

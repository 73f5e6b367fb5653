import { Product } from "./Product.jsx";

export default function Page() {
  return <Product cprcode={1001} productName="น้ำปลา" />;
}

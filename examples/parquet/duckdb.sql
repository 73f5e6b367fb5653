-- Orders in Parquet become captures. A row is a product of an order; `price`, a DECIMAL, is what one cost.
COPY (
  SELECT
    order_id AS requestId,
    {
      branchId: branch_id::TEXT,
      productList: list({cprcode: cprcode, productName: product_name, quantity: quantity})
    } AS request,
    {prices: map_from_entries(list(DISTINCT (cprcode || '/' || branch_id, {price: price})))} AS facts,
    {
      grandTotal: sum(quantity * price),
      productList: list({cprcode: cprcode, price: price, quantity: quantity})
    } AS new
  FROM 'orders/*.parquet' GROUP BY order_id, branch_id
) TO 'captures.ndjson.gz' (FORMAT json)

-- What duckdb.sql does, in Spark SQL.
INSERT OVERWRITE DIRECTORY 'captures' USING text OPTIONS (compression 'gzip')
SELECT to_json(named_struct(
  'requestId', order_id,
  'request', named_struct(
    'branchId', string(branch_id),
    'productList', collect_list(named_struct('cprcode', cprcode, 'productName', product_name, 'quantity', quantity))
  ),
  'facts', named_struct('prices', map_from_entries(collect_set(struct(
    concat(cprcode, '/', branch_id), named_struct('price', price)
  )))),
  'new', named_struct(
    'grandTotal', sum(quantity * price),
    'productList', collect_list(named_struct('cprcode', cprcode, 'price', price, 'quantity', quantity))
  )
))
FROM parquet.`orders` GROUP BY order_id, branch_id

import { standardSchemaResolver } from "@hookform/resolvers/standard-schema";
import { orderSchema } from "order-cost/data";
import { customerText } from "order-cost/messages";
import { useId, useState } from "react";
import { useFieldArray, useForm } from "react-hook-form";

const PRODUCT = { cprcode: undefined, productName: "", quantity: 1 };
const DEFAULTS = {
  productList: [{ cprcode: 1001, productName: "น้ำปลา", quantity: 3 }],
  shipping: { shippingType: "DELIVERY", scheduleList: [{ mode: "" }] },
};
const MODES = { NATIONWIDE: "By parcel", PICKUP: "I collect it" };

/** The schema's messages are for developers. */
const TEXTS = {
  required: "Please fill this in.",
  "expected an integer": "Please enter a whole number.",
  "expected at least one product": "Please add a product.",
};
const textOf = ({ message }) => TEXTS[message] ?? "Please choose or correct this.";
/** An empty field is no number, and no NaN. */
const asNumber = { setValueAs: (text) => (text === "" || text === undefined ? undefined : Number(text)) };
const baht = new Intl.NumberFormat("en", { style: "currency", currency: "THB", currencyDisplay: "code" });

export function OrderForm({ pricer }) {
  const { control, register, handleSubmit, getFieldState, formState } = useForm({
    defaultValues: DEFAULTS,
    resolver: standardSchemaResolver(orderSchema),
  });
  const { fields, append, remove } = useFieldArray({ control, name: "productList" });
  const [outcome, setOutcome] = useState(null);

  /** What a field needs for its value and its fault. */
  const field = (name, options) => ({ ...register(name, options), fault: getFieldState(name, formState).error });
  const list = formState.errors.productList;
  const listFault = list?.root ?? (list?.message && list);

  async function price(order) {
    try {
      setOutcome({ total: (await pricer.calculate(order)).grandTotal });
    } catch (error) {
      const product = (line) => order.productList[line].productName || `Product ${line + 1}`;
      setOutcome({ text: customerText(error, "en", { product }) });
    }
  }
  const faulty = () => setOutcome({ text: customerText({ code: "VALIDATION_ERROR", retryable: false }, "en") });

  return (
    <form noValidate aria-label="Order" onSubmit={handleSubmit(price, faulty)}>
      {fields.map(({ id }, line) => (
        <fieldset key={id}>
          <legend>Product {line + 1}</legend>
          <Field label="Code" inputMode="numeric" size="8" {...field(`productList.${line}.cprcode`, asNumber)} />
          <Field label="Name" size="16" {...field(`productList.${line}.productName`)} />
          <Field label="Quantity" inputMode="numeric" size="6" {...field(`productList.${line}.quantity`, asNumber)} />
          <button type="button" onClick={() => remove(line)}>
            Remove
          </button>
        </fieldset>
      ))}
      {listFault && <p className="fault">{textOf(listFault)}</p>}
      <p>
        <button type="button" onClick={() => append(PRODUCT)}>
          Add a product
        </button>
      </p>
      <fieldset>
        <legend>Delivery</legend>
        <Field label="How" as="select" {...field("shipping.scheduleList.0.mode")}>
          <option value="">Please choose</option>
          {Object.entries(MODES).map(([mode, text]) => (
            <option key={mode} value={mode}>
              {text}
            </option>
          ))}
        </Field>
      </fieldset>
      <button type="submit">Price the order</button>
      {outcome?.text && <p role="alert">{outcome.text}</p>}
      {outcome?.total !== undefined && (
        <p>
          Total <output>{baht.format(outcome.total)}</output>
        </p>
      )}
    </form>
  );
}

function Field({ label, fault, as: Control = "input", ...props }) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id}>{label}</label>
      <Control id={id} aria-invalid={fault !== undefined} aria-describedby={fault && `${id}-fault`} {...props} />
      {fault && (
        <p className="fault" id={`${id}-fault`}>
          {textOf(fault)}
        </p>
      )}
    </div>
  );
}

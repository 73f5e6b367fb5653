import proxyAddress from "proxy-addr";

/**
 * The address of a client. Only the proxies of the shop's own say whom they forward for: anybody else can send the header.
 * @param {number} hops how many proxies stand in front; 0: the socket's address counts
 * @returns {import("../../service/service.js").Platform["addressOf"]}
 */
export const addressBehind =
  (hops) =>
  (_request, { incoming }) =>
    proxyAddress(incoming, (_address, hop) => hop < hops);

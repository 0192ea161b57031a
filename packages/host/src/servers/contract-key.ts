/** The key in `_meta` of what the contract adds, and the name of the extension; the library's own is not loaded for it. */
export const contractKey = 'dev.trunkline/contract'

/** The key of the contract's members in `_meta`, and the name of the extension; the library's own is not loaded for it. */
export const contractKey = 'dev.trunkline/contract'

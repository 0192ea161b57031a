/** Results that are less than their schema says because the caller wanted less: these are not checked. */
export const partialResults = new WeakSet<object>()

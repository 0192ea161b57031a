/** The oldest Node that the published package runs on; `engines` of every package says the same. */
export const oldestNode = '20.19'

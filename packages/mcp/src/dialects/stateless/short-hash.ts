/** A short hash of a text; it is only used inside sealed state, so it need not resist attacks. */
export function shortHash(text: string): string {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x5bd1e995)
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36)
}

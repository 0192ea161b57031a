/**
 * Whether text matches a pattern in which `*` stands for any characters except a slash and `**` for any at all.
 * Takes time in proportion to text times pattern, whatever both contain.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const pieces = piecesOf(pattern)
  // `reached[i]`: the first i pieces match what was read so far
  let reached = new Array<boolean>(pieces.length + 1).fill(false)
  reached[0] = true
  skipStars(pieces, reached)
  for (const character of text) {
    const next = new Array<boolean>(pieces.length + 1).fill(false)
    for (const [index, piece] of pieces.entries()) {
      if (!reached[index]) continue
      if (piece === '**' || (piece === '*' && character !== '/')) next[index] = true
      else if (piece === character) next[index + 1] = true
    }
    skipStars(pieces, next)
    reached = next
  }
  return reached[pieces.length] === true
}

/** Whether a pattern stands for more than one text. */
export function isGlob(pattern: string): boolean {
  return pattern.includes('*')
}

function piecesOf(pattern: string): readonly string[] {
  return pattern.match(/\*\*|[\s\S]/gu) ?? []
}

/** A star may stand for nothing. */
function skipStars(pieces: readonly string[], reached: boolean[]): void {
  for (const [index, piece] of pieces.entries()) {
    if (reached[index] && (piece === '*' || piece === '**')) reached[index + 1] = true
  }
}

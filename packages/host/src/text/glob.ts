/**
 * True if text matches a pattern in which `*` stands for any characters except a slash and `**` for any at all.
 * Takes time in proportion to text times pattern, whatever both contain.
 */
export function matchesGlob(pattern: string, text: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return pattern === text
  // most texts differ before the first star
  if (!text.startsWith(pattern.slice(0, star))) return false
  return matchesPieces(piecesOf(pattern.slice(star)), text.slice(star))
}

function matchesPieces(pieces: readonly string[], text: string): boolean {
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

/** True if some text matches both patterns. Takes time in proportion to one pattern times the other. */
export function globsMeet(one: string, other: string): boolean {
  const rows = piecesOf(one)
  const columns = piecesOf(other)
  // `meets[row][column]`: the rest of one from that row on, and of the other from that column on, match a common text
  let below: readonly boolean[] = []
  for (let row = rows.length; row >= 0; row--) {
    const meets = new Array<boolean>(columns.length + 1).fill(false)
    for (let column = columns.length; column >= 0; column--) {
      const [mine, yours] = [rows[row], columns[column]]
      meets[column] =
        (mine === undefined && yours === undefined) ||
        (isStar(mine) && below[column] === true) ||
        (isStar(yours) && meets[column + 1] === true) ||
        (isStar(mine) && yours !== undefined && absorbs(mine, yours) && meets[column + 1] === true) ||
        (isStar(yours) && mine !== undefined && absorbs(yours, mine) && below[column] === true) ||
        (mine !== undefined && mine === yours && below[column + 1] === true)
    }
    below = meets
  }
  return below[0] === true
}

/** True if a pattern stands for more than one text. */
export function isGlob(pattern: string): boolean {
  return pattern.includes('*')
}

function isStar(piece: string | undefined): piece is '*' | '**' {
  return piece === '*' || piece === '**'
}

/** True if a star can stand for what another piece stands for. */
function absorbs(star: string, piece: string): boolean {
  return star === '**' || piece !== '/'
}

function piecesOf(pattern: string): readonly string[] {
  return pattern.match(/\*\*|[\s\S]/gu) ?? []
}

/** A star may stand for nothing. */
function skipStars(pieces: readonly string[], reached: boolean[]): void {
  for (const [index, piece] of pieces.entries()) {
    if (reached[index] && isStar(piece)) reached[index + 1] = true
  }
}

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

/**
 * True if a path with forward slashes fits a pattern: `*` stands for any characters of one name, `?` for one, `**` for
 * any number of names. A pattern without a slash is about the last name alone. Takes time in proportion to both lengths.
 */
export function fitsGlob(pattern: string, path: string): boolean {
  const names = path.split('/')
  if (!pattern.includes('/')) return matchesPieces(namePieces(pattern), names.at(-1) ?? '')
  const parts = pattern.replace(/^\.?\//, '').split('/')
  const patterns = parts.map(namePieces)
  // places of the pattern that the names so far can have reached
  let reached = skipDoubleStars(parts, new Set([0]))
  for (const name of names) {
    const next = new Set<number>()
    for (const at of reached) {
      if (parts[at] === '**') next.add(at)
      else if (at < parts.length && matchesPieces(patterns[at] ?? [], name)) next.add(at + 1)
    }
    reached = skipDoubleStars(parts, next)
  }
  return reached.has(parts.length)
}

/** Piece that stands for any one character. */
const anyCharacter = '??'

/** Pieces of a pattern for one name of a path. */
function namePieces(pattern: string): readonly string[] {
  return piecesOf(pattern).map((piece) => (piece === '?' ? anyCharacter : piece))
}

/** `**` may also stand for no name at all. */
function skipDoubleStars(parts: readonly string[], reached: Set<number>): Set<number> {
  // a set visits what is added to it during the loop
  for (const at of reached) if (parts[at] === '**') reached.add(at + 1)
  return reached
}

function matchesPieces(pieces: readonly string[], text: string): boolean {
  // `reached[i]`: the first i pieces match what was read so far
  let reached = new Array<boolean>(pieces.length + 1).fill(false)
  let next = [...reached]
  reached[0] = true
  skipStars(pieces, reached)
  for (const character of text) {
    next.fill(false)
    for (let index = 0; index < pieces.length; index++) {
      if (!reached[index]) continue
      const piece = pieces[index]
      if (piece === '**' || (piece === '*' && character !== '/')) next[index] = true
      else if (piece === character || piece === anyCharacter) next[index + 1] = true
    }
    skipStars(pieces, next)
    ;[reached, next] = [next, reached]
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
  for (let index = 0; index < pieces.length; index++) {
    if (reached[index] && isStar(pieces[index])) reached[index + 1] = true
  }
}

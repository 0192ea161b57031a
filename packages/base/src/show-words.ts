/** The words of a command on one line, quoted so that their borders are clear. */
export function showWords(words: readonly string[]): string {
  return words.map(quoted).join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}

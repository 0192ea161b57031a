/** The words of a line that is being typed, as a shell would read them; the last one is where the cursor is. */
export function splitLine(line: string): readonly string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] as string
    if (quote !== '') {
      if (letter === quote) quote = ''
      else if (letter === '\\' && quote === '"') word = (word ?? '') + (line[++at] ?? '')
      else word = (word ?? '') + letter
    } else if (letter === '"' || letter === "'") {
      quote = letter
      word ??= ''
    } else if (letter === '\\') word = (word ?? '') + (line[++at] ?? '')
    else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + letter
  }
  return [...words, word ?? '']
}

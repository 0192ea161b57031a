/** The words of a command as a shell reads them: quotes hold words together, a backslash takes a character as it is. */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = []
  let word = ''
  let isWord = false
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? ''
    if (character === '\\' && quote !== "'") {
      at += 1
      word += line[at] ?? ''
      isWord = true
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word += character
    } else if (character === '"' || character === "'") {
      quote = character
      isWord = true
    } else if (/\s/.test(character)) {
      if (isWord || word !== '') words.push(word)
      word = ''
      isWord = false
    } else word += character
  }
  return isWord || word !== '' ? [...words, word] : words
}

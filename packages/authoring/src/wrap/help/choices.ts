/** The values that a help text says an option takes, from how it calls the value and what it says of it. */
export function choicesIn(value: string, description: string): readonly string[] | undefined {
  const inBraces = /^\[?\{([^{}]+)\}\]?$/.exec(value.trim())?.[1]
  if (inBraces !== undefined) return choicesOf(inBraces.split(','))
  const bare = value.replace(/^[[<(=]+|[\]>)]+$/g, '')
  if (/^[\w.-]+(?:\|[\w.-]+)+$/.test(bare)) return choicesOf(bare.split('|'))
  return choicesSaid(bare, description)
}

function choicesSaid(value: string, description: string): readonly string[] | undefined {
  const said =
    /\[possible values: ([^\]]+)\]/i.exec(description)?.[1] ??
    /\(choices: ([^)]+)\)/i.exec(description)?.[1] ??
    /\b(?:one of|modes|optional when):? *[:(]? *([\w'"-]+(?:(?:, *(?:or +)?|\|| or )[\w'"-]+)+)/i.exec(description)?.[1]
  if (said !== undefined) return choicesOf(said.split(/,\s*(?:or\s+)?|\||\s+or\s+/))
  if (!/^\w+$/.test(value)) return undefined
  const named = new RegExp(`\\b${value} is ((?:'[\\w-]+'(?:, (?:or )?| or )?)+)`).exec(description)?.[1]
  return named === undefined ? undefined : choicesOf([...named.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word))
}

function choicesOf(words: readonly string[]): readonly string[] | undefined {
  const choices = words.map((word) => word.trim().replace(/^['"(]+|['")]+$/g, '')).filter((word) => word !== '')
  return choices.length > 1 && choices.every((word) => /^[\w.+:-]+$/.test(word)) ? [...new Set(choices)] : undefined
}

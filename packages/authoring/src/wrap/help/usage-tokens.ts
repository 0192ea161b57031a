/** A word of a usage line. */
export interface UsageToken {
  readonly text: string
  readonly isMany: boolean
  readonly isOptional: boolean
}

/** The words of a usage line that are no options; what stands in brackets may be left out. */
export function usageTokens(line: string, isOptional = false): readonly UsageToken[] {
  return groupsOf(line).flatMap((group): readonly UsageToken[] => {
    const isMany = /(?:\.\.\.|…)$/.test(group)
    const text = group.replace(/(?:\.\.\.|…)$/, '')
    const inner = /^\[(.*)\]$/.exec(text)?.[1] ?? /^\((.*)\)$/.exec(text)?.[1]
    if (inner === undefined) return text.startsWith('-') && text !== '--' ? [] : [{ text, isMany, isOptional }]
    // a choice between several things is a matter of options
    if (groupsOf(inner).includes('|') || (inner.startsWith('-') && !/^--(?:\s|$)/.test(inner))) return []
    const tokens = usageTokens(inner, isOptional || text.startsWith('['))
    return isMany ? tokens.map((token) => ({ ...token, isMany: true })) : tokens
  })
}

/** Splits a line at spaces; brackets hold their contents together. */
function groupsOf(line: string): readonly string[] {
  const groups: string[] = []
  let depth = 0
  let group = ''
  const end = (): void => {
    const isDots = /^(?:\.\.\.|…)$/.test(group)
    if (isDots && groups.length > 0) groups.push(`${groups.pop()}...`)
    else if (group !== '' && !isDots) groups.push(group)
    group = ''
  }
  for (const character of line) {
    if ('[(<{'.includes(character)) depth += 1
    if ('])>}'.includes(character)) depth = Math.max(0, depth - 1)
    if (character === ' ' && depth === 0) end()
    else group += character
  }
  end()
  return groups
}

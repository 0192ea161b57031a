import { hiddenCharacters } from '@trunkline/host/text'

/** JSON that says the same and shows itself: characters that hide or mislead are written as escapes. */
export function visibleJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, undefined, indent) ?? 'null'
  let shown = ''
  let from = 0
  for (const { index, code } of hiddenCharacters(text)) {
    shown += text.slice(from, index) + escaped(String.fromCodePoint(code))
    from = index + (code > 0xffff ? 2 : 1)
  }
  return from === 0 ? text : shown + text.slice(from)
}

function escaped(character: string): string {
  // outside of strings JSON has line breaks and nothing else that hides
  return character.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

import type { Hover, MarkedString, MarkupContent } from 'vscode-languageserver-types'

/** Characters of documentation that are shown. */
const maxChars = 1_000

/** The signature of a name and its documentation. */
export interface HoverParts {
  readonly signature: string
  readonly documentation: string
}

/** Takes the answer of a language server apart: the first code is the signature, the rest is documentation. */
export function hoverParts(hover: Hover | null | undefined): HoverParts {
  const text = hover ? textOf(hover.contents) : ''
  const [block = '', code = ''] = /^```[^\n]*\n([\s\S]*?)\n?```/m.exec(text) ?? []
  const rest = block === '' ? text : text.replace(block, '')
  const documentation = rest
    .replaceAll(/^-{3,}$/gm, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
  const isCut = documentation.length > maxChars
  return {
    signature: code.slice(0, maxChars),
    documentation: isCut ? `${documentation.slice(0, maxChars)}…` : documentation,
  }
}

function textOf(contents: MarkupContent | MarkedString | MarkedString[]): string {
  if (Array.isArray(contents)) return contents.map((one) => textOf(one)).join('\n\n')
  if (typeof contents === 'string') return contents
  return 'language' in contents ? `\`\`\`${contents.language}\n${contents.value}\n\`\`\`` : contents.value
}

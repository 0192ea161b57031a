/** Colours of a terminal's styles. */
const colours: { readonly [code: string]: string } = {
  '31': '#f47067',
  '32': '#57ab5a',
  '33': '#c69026',
  '36': '#39c5cf',
}
const [plain, faint, ground] = ['#cdd9e5', '#768390', '#22272e']
const [charWidth, lineHeight, padding] = [8.4, 19, 16]

interface Style {
  readonly colour: string
  readonly isBold: boolean
}

/** Draws the screen of a terminal, with the escapes that colour it, as a picture. */
export function terminalSvg(screen: string, title: string): string {
  const lines = screen.trimEnd().split('\n')
  const columns = Math.max(...lines.map((line) => withoutEscapes(line).length))
  const [width, height] = [columns * charWidth + 2 * padding, lines.length * lineHeight + 2 * padding]
  const rows = lines.map((line, at) => {
    const y = padding + (at + 0.75) * lineHeight
    return `<text x="${padding}" y="${y}" xml:space="preserve">${spansOf(line)}</text>`
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${ground}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14" fill="${plain}">`,
    ...rows,
    '</g>',
    '</svg>',
    '',
  ].join('\n')
}

function spansOf(line: string): string {
  let style: Style = { colour: plain, isBold: false }
  let svg = ''
  let from = 0
  // the only escapes that a captured screen has are those of styles
  for (const found of line.matchAll(styleEscape)) {
    svg += span(line.slice(from, found.index), style)
    style = (found[1] ?? '').split(';').reduce(changed, style)
    from = (found.index ?? 0) + found[0].length
  }
  return svg + span(line.slice(from), style)
}

function changed(style: Style, code: string): Style {
  if (code === '' || code === '0') return { colour: plain, isBold: false }
  if (code === '1') return { ...style, isBold: true }
  if (code === '2') return { ...style, colour: faint }
  if (code === '22') return { colour: style.colour === faint ? plain : style.colour, isBold: false }
  if (code === '39') return { ...style, colour: plain }
  return { ...style, colour: colours[code] ?? style.colour }
}

function span(text: string, { colour, isBold }: Style): string {
  if (text === '') return ''
  const weight = isBold ? ' font-weight="bold"' : ''
  return colour === plain && !isBold ? escaped(text) : `<tspan fill="${colour}"${weight}>${escaped(text)}</tspan>`
}

function withoutEscapes(line: string): string {
  return line.replace(styleEscape, '')
}

const styleEscape = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`, 'g')

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

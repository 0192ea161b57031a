/** An element of a drawing as text; numbers are kept short. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(value)}"`)
  const start = `<${name}${written.join('')}`
  return children.length === 0 ? `${start}/>` : `${start}>${children.join('')}</${name}>`
}

/** Words in a drawing. */
export function words(text: string, attributes: Readonly<Record<string, string | number>>): string {
  return element('text', attributes, [escapeMarkup(text)])
}

/** Title, size and style sheet of a drawing. */
export interface Drawing {
  readonly title: string
  readonly width: number
  readonly height: number
  readonly style: string
}

/** A whole drawing that needs nothing outside itself. */
export function drawing({ title, width, height, style }: Drawing, children: readonly string[]): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
  }
  const head = [element('title', {}, [escapeMarkup(title)]), element('style', {}, [style])]
  return `${element('svg', { ...attributes, 'aria-label': title }, [...head, ...children])}\n`
}

/** Text made safe inside markup. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

function attribute(value: string | number): string {
  return typeof value === 'number' ? String(Math.round(value * 100) / 100) : escapeMarkup(value)
}

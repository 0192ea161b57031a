import type { Frame } from './cpu-profile.ts'
import { drawing, element, escapeMarkup, words } from './svg.ts'

const width = 1200
const line = 17
const margin = 10
const smallest = 0.6
const letter = 6.6

const style =
  'text{font:11px ui-monospace,monospace;fill:#1f2328}rect{stroke:#fff;stroke-width:.5}g:hover rect{stroke:#000}'

/** A flame graph, root at the top, that needs nothing outside itself; every box says its share when pointed at. */
export function flameGraph(title: string, root: Frame): string {
  const boxes: string[] = []
  let deepest = 0

  function draw(frame: Frame, x: number, depth: number): void {
    const size = (frame.total / root.total) * (width - 2 * margin)
    if (size < smallest) return
    deepest = Math.max(deepest, depth)
    boxes.push(box(frame, { x, y: 30 + depth * line, size, share: frame.total / root.total }))
    let childX = x
    for (const child of frame.children) {
      draw(child, childX, depth + 1)
      childX += (child.total / root.total) * (width - 2 * margin)
    }
  }

  draw(root, margin, 0)
  const height = 30 + (deepest + 1) * line + margin
  return drawing({ title, width, height, style }, [words(title, { x: margin, y: 18 }), ...boxes])
}

interface Place {
  readonly x: number
  readonly y: number
  readonly size: number
  readonly share: number
}

function box({ name }: Frame, { x, y, size, share }: Place): string {
  const letters = Math.floor((size - 6) / letter)
  const label = letters < 3 ? [] : [words(name.slice(0, letters), { x: x + 3, y: y + 12 })]
  return element('g', {}, [
    `<title>${escapeMarkup(name)} ${(share * 100).toFixed(1)} %</title>`,
    element('rect', { x, y, width: size, height: line - 1, fill: colourOf(name) }),
    ...label,
  ])
}

/** Warm for the code on top, cold for Node's own and for the machine's: the eye finds what we can change. */
function colourOf(name: string): string {
  const shade = [...name].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 97, 7)
  if (/^\([^)]*\)$/.test(name)) return `hsl(0 0% ${75 + (shade % 15)}%)`
  if (name.includes(' node:') || !name.includes(' ')) return `hsl(205 50% ${70 + (shade % 15)}%)`
  return `hsl(${20 + (shade % 30)} 85% ${62 + (shade % 12)}%)`
}

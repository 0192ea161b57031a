import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

/** A line in which something is wrong, counted from 1. */
export interface MarkedLine {
  readonly line: number
  readonly problem: string
}

/** Marks these lines of an editor, and no others. */
export const markLines = StateEffect.define<readonly MarkedLine[]>()

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { effects, changes, state }) {
    const effect = effects.findLast((one) => one.is(markLines))
    return effect ? decorated(state, effect.value as readonly MarkedLine[]) : shown.map(changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows which lines are marked. */
export const markedLines: Extension = marks

function decorated(state: EditorState, lines: readonly MarkedLine[]): DecorationSet {
  const known = lines.filter(({ line }) => line >= 1 && line <= state.doc.lines)
  const all = known.map(({ line, problem }) =>
    Decoration.line({ class: 'marked-line', attributes: { title: problem } }).range(state.doc.line(line).from),
  )
  return Decoration.set(all, true)
}

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Annotation, EditorState } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import type { JsonEditorProps } from './json-editor.tsx'
import { markedLines, markLines } from './marked-lines.ts'

const fromOutside = Annotation.define<boolean>()

const colours = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--good)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--warn)' },
])
/** Comments are no JSON, but stand in files that people write. */
const strict = { tag: tags.invalid, color: 'var(--bad)' }

const looks = EditorView.theme({
  '&': { fontSize: 'var(--text-s)', maxHeight: '440px', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto' },
  '.cm-content': { padding: '8px 0', minHeight: '80px', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-faint)', border: 'none' },
  '.marked-line': { backgroundColor: 'var(--bad-wash)', textDecoration: 'underline wavy var(--bad)' },
  '.cm-specialChar': { color: 'var(--bad)', backgroundColor: 'var(--bad-wash)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-wash)',
  },
})

/** CodeMirror as a part of React: the text comes from outside, changes go there. */
export function CodeEditor({
  value,
  label,
  isReadOnly = false,
  hasLines = false,
  problems,
  startAt,
  onChange,
}: JsonEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const tell = useRef(onChange)
  tell.current = onChange
  const first = useRef(value)
  const startsAt = useRef(startAt)

  useEffect(() => {
    if (!place.current) return
    const changes = EditorView.updateListener.of(({ docChanged, transactions, state }) => {
      if (docChanged && !transactions.some((one) => one.annotation(fromOutside))) tell.current?.(state.doc.toString())
    })
    const extensions = [
      history(),
      drawSelection(),
      highlightSpecialChars(),
      bracketMatching(),
      json(),
      syntaxHighlighting(hasLines ? colours : HighlightStyle.define([...colours.specs, strict])),
      ...(hasLines ? [lineNumbers()] : []),
      markedLines,
      looks,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
      EditorState.readOnly.of(isReadOnly),
      // Tab moves on, so that the keyboard can leave the editor
      keymap.of([...defaultKeymap, ...historyKeymap]),
      typedOver,
      changes,
    ]
    // in a shadow root its styles are adopted sheets, which the content security policy allows
    const root = place.current.shadowRoot ?? place.current.attachShadow({ mode: 'open' })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({ doc: first.current, extensions }),
    })
    view.current = made
    const stop = startsAt.current ? scrollWhenSeen(made, startsAt.current) : undefined
    return () => {
      stop?.()
      made.destroy()
    }
  }, [label, isReadOnly, hasLines])

  useEffect(() => {
    first.current = value
    const shown = view.current
    if (!shown || shown.state.doc.toString() === value) return
    const all = { from: 0, to: shown.state.doc.length, insert: value }
    shown.dispatch({ changes: all, annotations: fromOutside.of(true) })
  }, [value])

  useEffect(() => {
    view.current?.dispatch({ effects: markLines.of(problems ?? []) })
  }, [problems])

  return <div ref={place} />
}

/**
 * Puts in what is typed over a selection. Left to the browser, it would get the style of what it replaces as an attribute,
 * which the content security policy refuses with an error.
 */
const typedOver = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { readOnly, selection } = view.state
    if (inputType !== 'insertText' || data === null || readOnly) return false
    const { from, to } = selection.main.empty ? selectedInPage(view) : selection.main
    if (from === to) return false
    const insert = view.state.toText(data)
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    })
    return true
  },
})

/** The selection of the page: on a busy machine the editor hears of a selection later than of the key. */
function selectedInPage(view: EditorView): { readonly from: number; readonly to: number } {
  // a selection in a shadow root is told by the root in some browsers, by the document in the others
  const root: DocumentOrShadowRoot & Partial<Pick<Document, 'getSelection'>> = view.root
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = (root.getSelection?.() ?? getSelection()) || {}
  if (!anchorNode || !focusNode || !view.contentDOM.contains(anchorNode)) return { from: 0, to: 0 }
  const ends = [view.posAtDOM(anchorNode, anchorOffset), view.posAtDOM(focusNode, focusOffset)]
  return { from: Math.min(...ends), to: Math.max(...ends) }
}

/** Scrolls an editor to what it starts at once it is seen, since only then lines have heights; the page stays where it is. */
function scrollWhenSeen(view: EditorView, startAt: RegExp): () => void {
  const scroll = (): void => {
    const start = Math.max(0, view.state.doc.toString().search(startAt))
    view.scrollDOM.scrollTo({ top: view.lineBlockAt(start).top })
  }
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry?.isIntersecting) return
    seen.disconnect()
    // once by estimate, and again when what is there was measured
    requestAnimationFrame(() => {
      scroll()
      requestAnimationFrame(scroll)
    })
  })
  seen.observe(view.dom)
  return () => seen.disconnect()
}

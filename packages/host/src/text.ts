/** Text of others, made fit for people: what hides is shown, what is secret is masked. Loads nothing else of the host. */
export { masked, redact, redactText } from './text/redact.ts'
export { promptInput, type SaidInput, saidInput, wordsOf } from './text/said-input.ts'
export { type HiddenCharacter, type HiddenKind, hiddenCharacters, visibleLine, visibleText } from './text/visible.ts'

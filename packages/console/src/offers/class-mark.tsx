import type { CatalogueEntry } from '../host/queries.ts'
import styles from './class-mark.module.css'

const marks: { readonly [kind in CatalogueEntry['class']]: readonly [letter: string, words: string] } = {
  reads: ['R', 'reads'],
  writes: ['W', 'writes'],
  destroys: ['D', 'destroys'],
  unknown: ['?', 'may do anything'],
}

/** Class of a tool as a letter in its colour, with the word for screen readers and on hover. */
export function ClassMark({ of }: { readonly of: CatalogueEntry['class'] }) {
  const [letter, words] = marks[of]
  return (
    <span className={`${styles.mark} ${styles[of]}`} title={words}>
      <span aria-hidden="true">{letter}</span>
      <span className="visually-hidden"> {words}</span>
    </span>
  )
}

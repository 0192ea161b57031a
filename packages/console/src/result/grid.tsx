import type { ReactNode } from 'react'
import styles from './grid.module.css'

export interface GridProps {
  readonly head: readonly ReactNode[]
  readonly rows: readonly (readonly ReactNode[])[]
  /** To which side each column keeps. @default left */
  readonly align?: readonly ('left' | 'center' | 'right')[]
}

/** Table of foreign text, with heads. */
export function Grid({ head, rows, align = [] }: GridProps) {
  const classOf = (column: number) => styles[align[column] ?? 'left']
  return (
    <table>
      <thead>
        <tr>
          {head.map((cell, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
            <th key={column} scope="col" className={classOf(column)}>
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity
          <tr key={index}>
            {row.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other identity
              <td key={column} className={classOf(column)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

import type { ButtonHTMLAttributes } from 'react'
import styles from './button.module.css'

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** @default 'plain' */
  readonly tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** @default 'm' */
  readonly size?: 's' | 'm'
}

export function Button({ tone = 'plain', size = 'm', className, ...rest }: ButtonProps) {
  const classes = [styles.button, styles[tone], styles[size], className].filter(Boolean).join(' ')
  return <button type="button" className={classes} {...rest} />
}

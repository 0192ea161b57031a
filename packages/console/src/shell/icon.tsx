import styles from './icon.module.css'

/** Drawn on a field of 16 by 16, each as one line. */
const lines = {
  '/inbox': 'M2 9.5h3l1 2h4l1-2h3M3.5 3h9L14 9.5V13H2V9.5z',
  '/servers': 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.75h.01M5 11.25h.01',
  '/settings':
    'M8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM8 1.5v2M8 12.5v2M1.5 8h2M12.5 8h2M3.4 3.4l1.4 1.4M11.2 11.2l1.4 1.4M12.6 3.4l-1.4 1.4M4.8 11.2l-1.4 1.4',
  '/tools': 'M2 4.5h7M12.5 4.5H14M10.5 2.5v4M2 11.5h1.5M7 11.5h7M5 9.5v4',
  '/resources': 'M3.5 1.8h5.6l3.4 3.4v9h-9zM9 2v3.4h3.4M6 9h4M6 11.5h4',
  '/prompts': 'M2.5 3.5h11M2.5 8h8M2.5 12.5h5M12 10.5l2 2-2 2',
  '/skills': 'M2 3.2c2-.8 4-.8 6 .6 2-1.4 4-1.4 6-.6v9.6c-2-.8-4-.8-6 .6-2-1.4-4-1.4-6-.6zM8 3.8v9.6',
  '/chat': 'M2.2 3h11.6v8H7.5l-3 2.6V11H2.2z',
  '/activity': 'M1.5 8h3l2-5 3 10 2-5h3',
  '/policy': 'M8 1.6l5.2 1.9v4c0 3.3-2.2 5.6-5.2 6.9-3-1.3-5.2-3.6-5.2-6.9v-4zM5.8 7.8l1.6 1.6 2.9-3',
  '/connect': 'M6.3 9.7l3.4-3.4M7 4.7l1.4-1.4a3 3 0 0 1 4.3 4.3L11.3 9M9 11.3l-1.4 1.4a3 3 0 0 1-4.3-4.3L4.7 7',
  more: 'M2 8a1 1 0 1 0 2 0a1 1 0 1 0-2 0zM7 8a1 1 0 1 0 2 0a1 1 0 1 0-2 0zM12 8a1 1 0 1 0 2 0a1 1 0 1 0-2 0z',
  theme: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 2v12M8 5h3.5M8 8h5.5M8 11h4.5',
} as const

/** A drawing beside words that say the same. */
export function Icon({ of }: { readonly of: keyof typeof lines }) {
  return (
    <svg className={styles.icon} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={lines[of]} />
    </svg>
  )
}

import { Link } from '@tanstack/react-router'
import styles from './brand.module.css'
import icon from './icon.svg'

export function Brand() {
  return (
    <Link to="/" className={styles.brand}>
      <img src={icon} alt="" width="20" height="20" />
      Trunkline
    </Link>
  )
}

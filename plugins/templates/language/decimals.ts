/**
 * Arithmetic of the language, computed as Shopify's Liquid does: exactly, in decimals. Dividing two whole numbers gives
 * a whole number. Called by own-filters.ts, and by the files that read or print numbers.
 */
import { Drop, toValue } from 'liquidjs';

/** A whole number that was written or computed as a fraction. It prints as `2.0` and divides as a fraction. */
export class WholeFraction extends Drop {
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  override valueOf(): number {
    return this.value;
  }

  override toString(): string {
    return `${this.value}.0`;
  }

  toJSON(): number {
    return this.value;
  }
}

/** digits / 10^scale. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
  /** Whether its kind is a fraction, even if its value is a whole number. */
  readonly isFraction: boolean;
}

const ZERO: Decimal = { digits: 0n, scale: 0, isFraction: false };

function parse(text: string, isFraction: boolean): Decimal {
  const [, sign = '', whole = '0', part = '', power = '0'] =
    /^([-+]?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const digits = BigInt(sign.replace('+', '') + whole + part);
  const scale = part.length - Number(power);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0, isFraction } : { digits, scale, isFraction };
}

/** Beyond these limits nothing is computed exactly, because the digits would cost too much. */
const LARGEST = 1e30;
const SMALLEST = 1e-30;

function shortened(value: number): string {
  if (Math.abs(value) > LARGEST) return String(Math.sign(value) * LARGEST);
  return String(Math.abs(value) < SMALLEST ? 0 : value);
}

/** Converts a value to a number; a value that is not a number counts as 0. */
export function toDecimal(input: unknown): Decimal {
  if (input instanceof WholeFraction) return parse(shortened(input.value), true);
  const value: unknown = toValue(input);
  if (typeof value === 'number') {
    return Number.isFinite(value) ? parse(shortened(value), !Number.isInteger(value)) : ZERO;
  }
  if (typeof value !== 'string') return ZERO;
  // A longer text does not count as a number.
  const text = value.slice(0, 100).trim().slice(0, 40);
  if (/^[-+]?\d+\.\d+$/.test(text)) return parse(text, true);
  const [whole] = /^[-+]?\d+/.exec(text) ?? [];
  return whole === undefined ? ZERO : parse(whole, false);
}

/** Converts a decimal to a number of the language. */
export function fromDecimal({ digits, scale, isFraction }: Decimal): number | WholeFraction {
  const sign = digits < 0n ? '-' : '';
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  const at = text.length - scale;
  const value = Number(`${sign}${text.slice(0, at)}.${text.slice(at) || '0'}`);
  return isFraction && Number.isInteger(value) ? new WholeFraction(value) : value;
}

function aligned(one: Decimal, other: Decimal): { left: bigint; right: bigint; scale: number; isFraction: boolean } {
  const scale = Math.max(one.scale, other.scale);
  const lift = ({ digits, scale: own }: Decimal) => digits * 10n ** BigInt(scale - own);
  return { left: lift(one), right: lift(other), scale, isFraction: one.isFraction || other.isFraction };
}

/** Divides and rounds towards negative infinity. */
function divideDown(left: bigint, right: bigint): bigint {
  const quotient = left / right;
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient;
}

const MORE_DIGITS = 25;

export const add = (one: Decimal, other: Decimal): Decimal => {
  const { left, right, ...rest } = aligned(one, other);
  return { digits: left + right, ...rest };
};

export const subtract = (one: Decimal, other: Decimal): Decimal => add(one, { ...other, digits: -other.digits });

export const multiply = (one: Decimal, other: Decimal): Decimal => ({
  digits: one.digits * other.digits,
  scale: one.scale + other.scale,
  isFraction: one.isFraction || other.isFraction,
});

/** @throws RangeError for a division by zero */
export function divide(one: Decimal, other: Decimal): Decimal {
  const { left, right, isFraction } = aligned(one, other);
  if (!isFraction) return { digits: divideDown(left, right), scale: 0, isFraction };
  // Enough digits to fill a number, even if the result is small.
  const digits = MORE_DIGITS + Math.max(0, String(right).length - String(left).length);
  return { digits: (left * 10n ** BigInt(digits)) / right, scale: digits, isFraction };
}

/** The remainder, with the sign of the divisor. @throws RangeError for a division by zero */
export function modulo(one: Decimal, other: Decimal): Decimal {
  const { left, right, ...rest } = aligned(one, other);
  return { digits: left - divideDown(left, right) * right, ...rest };
}

/** Rounds half away from zero. */
export function round(one: Decimal, places: number): Decimal {
  if (one.scale <= places) return one;
  const unit = 10n ** BigInt(one.scale - places);
  const size = one.digits < 0n ? -one.digits : one.digits;
  const rounded = (size * 2n + unit) / (unit * 2n);
  const digits = one.digits < 0n ? -rounded : rounded;
  return places > 0
    ? { ...one, digits, scale: places }
    : { digits: digits * 10n ** BigInt(-places), scale: 0, isFraction: false };
}

export const floor = ({ digits, scale }: Decimal): Decimal => ({
  digits: divideDown(digits, 10n ** BigInt(scale)),
  scale: 0,
  isFraction: false,
});

export const compare = (one: Decimal, other: Decimal): number => {
  const { left, right } = aligned(one, other);
  return left < right ? -1 : left > right ? 1 : 0;
};

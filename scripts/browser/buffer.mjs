// Stands for the global Buffer of Node (scripts/bundle-derivation.mjs).
export { Buffer } from 'buffer';

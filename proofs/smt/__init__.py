"""Obligations as formulas for a solver."""

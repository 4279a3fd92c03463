"""How far judges, assessors and rankings agree; why judges fail; what is still to be judged."""

"""The readiness report: how far a code base is from a target, and what work is left."""

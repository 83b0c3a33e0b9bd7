"""What the user can put right."""


class UserError(Exception):
    """A mistake in what was asked for, told in one line."""
